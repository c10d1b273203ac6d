"""The evaluation of Ouyang and Zhou (2023), made again at a scale that can be run."""
