"""The evaluation of Yan and Li (2023) reproduced, beside the published results."""
