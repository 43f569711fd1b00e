import CourtLogic
import Training
package import YAML

/// What a drill's file may say.
package struct DrillDocument: YAMLDocument {
  /// The values that a level may override. Nil: not said.
  struct Values: Hashable, Sendable {
    var shots: [AimingStrategy.PlannedShot]?
    var zones: WeightedTargets?
    var distance: ClosedRange<Double>?
    var interval: Duration?
    var balls: Int?
    var sets: Int?
    var rest: Duration?
    var mirror: Bool?
    var avoidsRepeats: Bool?
  }

  var title: String?
  var about: String?
  var aim: AimingStrategy.Word?
  var seed: Int?
  private var values: [SkillLevel?: Values] = [:]

  package init() {}

  /// - Parameter level: nil: the drill's own.
  subscript(level: SkillLevel?) -> Values {
    get { values[level] ?? Values() }
    set { values[level] = newValue }
  }

  package static let schema = YAMLSchema<Self>(
    of: "a drill",
    typicalKey: "aim",
    [
      YAMLSection(
        "",
        "The drill",
        effect: .atOnce,
        keys: [
          .value(
            "name",
            .text("text of 1 to 60 bytes in one line", longest: 60),
            \.title,
            example: "Two corners",
            "For people. The drill is loaded by its file's name."
          ),
          .value(
            "about",
            .text("text of 1 to 200 bytes in one line", longest: 200),
            \.about,
            example: "\"Forehand, backhand, in turn.\"",
            "What it is for."
          ),
          .value(
            "aim",
            .word,
            \.aim,
            example: "plan",
            """
            How zones are chosen: follow (the player's own zone), away (one of zones, at a distance \
            from the player), sides (zones on the left and on the right in turn), random (drawn from \
            zones), plan (shots, one after the other).
            """
          ),
          .value(
            "seed",
            .integer("a whole number", in: Drill.seeds),
            \.seed,
            example: "1",
            "The same seed gives the same shots. Without it, each session draws one."
          ),
        ] + keys(of: nil)
      )
    ]
      + SkillLevel.allCases.map { level in
        YAMLSection(
          "levels.\(level.rawValue)",
          "What is different at the level \(level.rawValue)",
          effect: .atOnce,
          keys: keys(of: level)
        )
      }
  )

  private static func keys(of level: SkillLevel?) -> [YAMLKey<Self>] {
    [
      .value(
        "shots",
        .plannedShots,
        \.[level].shots,
        example: "[{zone: {3-1: 1, 3-2: 1}, repeat: [2, 5]}, {zone: 1-0}]",
        """
        With aim: plan. Each shot has a zone, or alternatives with their weights, and may be \
        repeated: a number of balls, or the least and the greatest. A set begins at the first one.
        """
      ),
      .value(
        "zones",
        .weightedTargets,
        \.[level].zones,
        example: "{3-0: 3, 3-3: 2}",
        """
        With aim: away, sides and random. A list, or weights: 3-0 is drawn three times while 3-3 \
        is drawn twice. Behind a zone may stand a spin: 3-0 topspin.
        """
      ),
      .value(
        "distance",
        .distances,
        \.[level].distance,
        example: "[2, 5]",
        """
        With aim: away. How far the zone's middle may be from the player, in metres. If no zone is \
        that far away, the nearest to that is taken.
        """
      ),
      .value(
        "interval",
        .seconds(in: 1.95...60),
        \.[level].interval,
        example: "4.5",
        "Seconds from one ball to the next. The machine's least interval is the least."
      ),
      .value(
        "balls",
        .integer("a whole number", in: Drill.ballCounts),
        \.[level].balls,
        example: "12",
        "Balls of a set."
      ),
      .value(
        "sets",
        .integer("a whole number", in: Drill.setCounts),
        \.[level].sets,
        example: "4",
        "Without it: one."
      ),
      .value(
        "rest",
        .seconds(in: Drill.rests),
        \.[level].rest,
        example: "30",
        """
        Seconds from a set's last ball to the next set. The countdown is their end; with 0 the \
        sets follow one another at the interval.
        """
      ),
      .value(
        "mirror",
        .flag,
        \.[level].mirror,
        example: "false",
        "For a left-hander: whether left and right are exchanged."
      ),
      .value(
        "no-repeat",
        .flag,
        \.[level].avoidsRepeats,
        example: "true",
        "Whether a zone never comes twice running in a set."
      ),
    ]
  }
}
