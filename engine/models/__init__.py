"""Where decisions come from: supplied columns, a model file, or a stand-in trained here."""
