raise ValueError("the light module is not so light")
