"""Speaking and listening: ALTextToSpeech, ALAnimatedSpeech and ALSpeechRecognition."""
