/// `text` with spaces behind it until it is `width` characters wide.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
