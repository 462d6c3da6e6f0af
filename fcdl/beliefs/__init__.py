"""What a seat can know: the hidden worlds that do not contradict what it has seen."""
