"""What people use today, in the shape they use it."""
