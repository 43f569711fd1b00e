extension Duration {
  package var seconds: Double { self / .seconds(1) }
}
