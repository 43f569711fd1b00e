import Testing

/// What happens between the link, BlueZ and the machine, story by story.
///
/// One after the other: each keeps the box busy, and time flows by how fast it answers. With
/// ``FaultStories`` beside it there are two lanes.
@Suite(.serialized, .onEitherSetup) enum LinkStories {}

/// The same, when something goes wrong: the stories of the table of faults.
@Suite(.serialized, .onEitherSetup) enum FaultStories {}
