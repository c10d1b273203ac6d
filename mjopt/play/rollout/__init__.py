"""Playouts in compiled code, and the agent that decides by them."""
