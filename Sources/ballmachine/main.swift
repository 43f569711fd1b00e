print("ballmachine")
