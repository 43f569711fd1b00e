/// What a scene is about. Each has one difficulty, so that a figure shows what is hard.
package enum Setting: String, CaseIterable, Sendable {
  /// Sun, from 3 m behind the baseline.
  case sun
  /// From 1.5 m.
  case low
  /// From 6 m.
  case high
  /// Cloud shadows sweep the court, and the exposure follows.
  case clouds
  /// The tripod shakes, the trees move.
  case wind
  /// A ball boy beside the court, a second player on the machine's half.
  case company
  /// From behind the machine.
  case machine
  case side
  case corner
  /// Clothes of the court's colour.
  case camouflage
  /// Little light, no shadows, much noise.
  case dusk
  /// A court without colour.
  case grey
  /// Overcast.
  case dull
  /// The player is there from the first frame on.
  case present
  /// The player stands still for 25 s, from the fourteenth second on.
  case waiting
  /// The court mirrors, and it rains on every second seed.
  case wet
  /// A second person walks on the player's half from the twentieth second on.
  case intruder
  /// Too little light to see by.
  case night
  /// From the twentieth second on the tripod swings.
  case swinging
  /// No player.
  case empty
  /// The player is there from the first frame on, and stands still for 5, 10, or 20 s.
  case staying
  /// A person stands on the court for the first 5, 10, or 20 s, leaves, and the player enters.
  case calibrating
  /// The player is running in the first frame.
  case running
  /// A person sits beside the court all the time.
  case bench
  /// From 1.6 m. The court is worn in places, which have the colour of calves and shoes.
  case pale
}
