"""What is measured: studies, battles, audits, the paper's evaluation."""
