// What ballmachine-camera is compared with in tools/bench/camera: OpenCV's mixture of Gaussians with its
// defaults, on one thread. Finds no player: that would come on top.
//
// mog2 FILM DIVISOR prints how many frames a film of JPEGs has, and the seconds of processor for the mixture
// alone, on pictures that are shrunk by 1 or 4 as they are decoded.

#include <opencv2/video/background_segm.hpp>
#include <turbojpeg.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <vector>

static double processor() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words) {
  if (count != 3) return 64;
  const int divisor = std::atoi(words[2]);
  if (divisor != 1 && divisor != 4) return 64;
  // As ballmachine-camera decodes its small pictures.
  const int flags = divisor == 1 ? 0 : TJFLAG_FASTDCT | TJFLAG_FASTUPSAMPLE;
  std::ifstream file(words[1], std::ios::binary);
  // Read in pieces: a film in the memory would be no camera.
  std::vector<unsigned char> bytes;
  std::vector<char> piece(65536);
  cv::setNumThreads(1);
  auto mixture = cv::createBackgroundSubtractorMOG2();
  auto decoder = tjInitDecompress();
  cv::Mat picture, mask;
  int frames = 0;
  double seconds = 0;
  std::size_t seen = 2;
  while (file.read(piece.data(), piece.size()), file.gcount() > 0) {
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + file.gcount());
    // Sight's frames have no picture inside, so that the next end is theirs.
    for (; seen + 1 < bytes.size(); ++seen) {
      if (bytes[seen] != 0xFF || bytes[seen + 1] != 0xD9) continue;
      int width, height, sampling, colours;
      if (tjDecompressHeader3(decoder, bytes.data(), seen + 2, &width, &height, &sampling, &colours))
        return 65;
      width = (width + divisor - 1) / divisor;
      height = (height + divisor - 1) / divisor;
      picture.create(height, width, CV_8UC3);
      if (tjDecompress2(decoder, bytes.data(), seen + 2, picture.data, width, 0, height, TJPF_BGR, flags))
        return 65;
      double before = processor();
      mixture->apply(picture, mask);
      seconds += processor() - before;
      ++frames;
      bytes.erase(bytes.begin(), bytes.begin() + seen + 2);
      seen = 1;
    }
  }
  std::printf("%d %f\n", frames, seconds);
}
