"""The gRPC side: the only package that imports the generated code."""
