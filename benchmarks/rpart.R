# One measurement of rpart, as measure.py makes them of the others: arguments are the folder of the arrays, the two files
# for the answers, "class" or "anova", the fewest rows of a leaf, the depth, and the folds by which a pruning is chosen
# (0: none; else the smallest tree within one standard error). Prints one line of JSON.
suppressPackageStartupMessages(library(rpart))
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
kind <- arguments[4]
SHORT <- 0.2

# An array of a .npy file, version 1: its type and shape stand in a header of text.
read_npy <- function(name) {
  file <- file(file.path(folder, name), "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)
  header <- readChar(file, readBin(file, "integer", 1, size = 2), useBytes = TRUE)
  shape <- sub(".*'shape': \\(([0-9, ]+)\\).*", "\\1", header)
  shape <- as.numeric(strsplit(gsub(" ", "", shape), ",")[[1]])
  values <- readBin(file, if (grepl("<i8", header)) "integer" else "numeric", prod(shape), size = 8)
  if (length(shape) == 1) values else matrix(values, shape[1], byrow = TRUE)
}

# CPU and wall seconds of a call.
seconds <- function(work) {
  used <- system.time(work(), gcFirst = FALSE)
  c(cpu = used[["user.self"]] + used[["sys.self"]], wall = used[["elapsed"]])
}

# The same over as many calls as fit into SHORT, where one is shorter than that.
repeated <- function(once, work) {
  if (once["wall"] >= SHORT) return(once)
  calls <- 0
  used <- seconds(function() {
    started <- proc.time()[["elapsed"]]
    while (proc.time()[["elapsed"]] - started < SHORT) {
      work()
      calls <<- calls + 1
    }
  })
  used / calls
}

X <- read_npy("X.npy")
y <- read_npy("y.npy")
rows <- as.data.frame(X)
rows$y <- if (kind == "class") factor(y) else y
leaf <- as.integer(arguments[5])
folds <- as.integer(arguments[7])
control <- rpart.control(minsplit = max(2, leaf), minbucket = leaf, cp = 0, maxdepth = as.integer(arguments[6]),
                         xval = folds, maxcompete = 0, maxsurrogate = 0)
grown <- function(rows) rpart(y ~ ., rows, method = kind, control = control)
pruned <- function(model) {
  path <- as.data.frame(model$cptable)
  best <- which.min(path$xerror)
  chosen <- which(path$xerror <= path$xerror[best] + path$xstd[best])[1]
  prune(model, cp = path$CP[chosen])
}
fit <- function(rows) if (folds > 0) pruned(grown(rows)) else grown(rows)
answers <- function(model, rows) {
  answer <- predict(model, rows, type = if (kind == "class") "class" else "vector")
  if (kind == "class") as.numeric(as.character(answer)) else answer
}

before <- gc(reset = TRUE)
model <- NULL
once <- seconds(function() model <<- fit(rows))
memory <- sum(gc()[, 6]) - sum(before[, 2])
grow <- repeated(once, function() fit(rows))
learned <- NULL
once <- seconds(function() learned <<- answers(model, rows))
predicted <- repeated(once, function() answers(model, rows))
writeBin(as.numeric(learned), arguments[2])
writeBin(as.numeric(answers(model, as.data.frame(read_npy("X_held.npy")))), arguments[3])
cat(sprintf('{"prepare": 0, "grow": %.9g, "predict": %.9g, "cpu": %.9g, "wall": %.9g, "memory": %.9g, "leaves": %d}\n',
            grow["cpu"], predicted["cpu"], grow["cpu"], grow["wall"], memory, sum(model$frame$var == "<leaf>")))
