"""What learners compute with: arrays in, arrays out, and what is kept between rows."""
