"""Metrics of Runs for services that track experiments: W&B, MLflow, TensorBoard, and JSON lines."""
