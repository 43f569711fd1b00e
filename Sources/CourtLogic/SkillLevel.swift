/// How good a player is. The commands of a level are measured ones, never a factor on others.
package enum SkillLevel: String, CaseIterable, Hashable, Sendable {
  case beginner
  case intermediate
  case advanced
}
