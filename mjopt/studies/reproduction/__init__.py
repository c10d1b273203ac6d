"""The paper's tables and figures made again, beside the published ones."""
