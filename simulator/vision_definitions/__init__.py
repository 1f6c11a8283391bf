"""The numbers of cameras, resolutions, colour spaces and camera parameters, with the names of NAOqi's SDK.

It is for computers without NAOqi's SDK, and for boxes on a simulated robot.
"""

from __future__ import absolute_import, division, print_function

# Models of cameras.
kOV7670 = 1
kMT9M114 = 2
kOV5640 = 3
kXTION = 4

# Cameras.
kTopCamera = 0
kBottomCamera = 1
kDepthCamera = 2

# Resolutions, in pixels.
kQQQQVGA = 8  # 40 x 30
kQQQVGA = 7  # 80 x 60
kQQVGA = 0  # 160 x 120
kQVGA = 1  # 320 x 240
kVGA = 2  # 640 x 480
k4VGA = k960p = 3  # 1280 x 960
k16VGA = k1920p = 4  # 2560 x 1920
k720p = 5  # 1280 x 720
k1080p = 6  # 1920 x 1080

# Colour spaces; with one capital letter, only that channel is sent.
kYuvColorSpace = 0
kyUvColorSpace = 1
kyuVColorSpace = 2
kRgbColorSpace = 3
krGbColorSpace = 4
krgBColorSpace = 5
kHsvColorSpace = kHsyColorSpace = 6
khSvColorSpace = khSyColorSpace = 7
khsVColorSpace = khsYColorSpace = 8
kYUV422ColorSpace = kYUV422InterlacedColorSpace = 9
kYUVColorSpace = 10
kRGBColorSpace = 11
kHSVColorSpace = kHSYColorSpace = 12
kBGRColorSpace = 13
kYYCbCrColorSpace = 14
kH2RGBColorSpace = 15
kHSMixedColorSpace = 16
kDepthColorSpace = 17
kARGBColorSpace = 18
kXYZColorSpace = 19
kInfraredColorSpace = 20
kDistanceColorSpace = 21
kRawDepthColorSpace = 23

# Methods of scaling an image.
kSimpleScaleMethod = 0
kAverageScaleMethod = 1
kQualityScaleMethod = 2
kNoScaling = 3

# Parameters of a camera.
kCameraBrightnessID = 0
kCameraContrastID = 1
kCameraSaturationID = 2
kCameraHueID = 3
kCameraRedChromaID = 4
kCameraBlueChromaID = 5
kCameraGainID = 6
kCameraHFlipID = 7
kCameraVFlipID = 8
kCameraLensXID = 9
kCameraLensYID = 10
kCameraAutoExpositionID = 11
kCameraAutoWhiteBalanceID = 12
kCameraAutoGainID = 13
kCameraResolutionID = 14
kCameraFrameRateID = 15
kCameraBufferSizeID = 16
kCameraExposureID = 17
kCameraSelectID = 18
kCameraSetDefaultParamsID = 19
kCameraColorSpaceID = 20
kCameraExposureCorrectionID = 21
kCameraExposureAlgorithmID = kCameraAecAlgorithmID = 22
kCameraFastSwitchID = 23
kCameraSharpnessID = 24
kCameraAwbGreenGainID = 25
kCameraAblcID = 26
kCameraAblcTargetID = 27
kCameraAblcStableRangeID = 28
kCameraBlcBlueID = 29
kCameraBlcRedID = 30
kCameraBlcGbID = 31
kCameraBlcGrID = 32
kCameraWhiteBalanceID = 33
kCameraBacklightCompensationID = 34
kCameraKeepAliveID = 35
kCameraDepthConfidenceThresholdID = 36
kCameraDepthFastFilterID = 37
kCameraTemperatureID = 38
kCameraAverageLuminanceID = 39
kCameraAutoFocusID = 40
