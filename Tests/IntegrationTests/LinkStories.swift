import Testing

/// What happens between the link, BlueZ and the machine, story by story.
///
/// One after the other: each keeps the box busy, and time flows by how fast it answers.
@Suite(.serialized, .onEitherSetup) enum LinkStories {}
