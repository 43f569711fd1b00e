import CourtMapping
struct CameraWatch {
  init?(reference: GreyPicture, marks: [PicturePoint]) { return nil }
  mutating func check(_ picture: GreyPicture) {}
  var doubt: Doubt? { nil }
}
