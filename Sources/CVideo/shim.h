// Video4Linux, the kernel's interface to cameras.

#ifndef CVIDEO_SHIM_H
#define CVIDEO_SHIM_H

#include <linux/videodev2.h>

#endif
