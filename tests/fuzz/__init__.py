"""Every reader of files from outside, fed with damaged ones: by hypothesis in `make test`, atheris in `make fuzz`."""
