import Testing

/// What happens between the link, BlueZ and the machine, story by story.
///
/// On the mock each is played with each version of BlueZ. One after the other: each keeps the box busy, and time flows by how fast it answers. With
/// ``FaultStories`` beside it there are two lanes.
@Suite(.serialized, .onEitherSetup, .onEveryBlueZ) enum LinkStories {}

/// The same, when something goes wrong: the stories of the table of faults.
@Suite(.serialized, .onEitherSetup, .onEveryBlueZ) enum FaultStories {}
