# rpart's tree of the smallest size within one standard error, by 10 folds. Arguments: a CSV to learn from, a CSV to answer,
# the file for the answers, "class" or "anova". The target is the last column. Prints the number of leaves.
suppressPackageStartupMessages(library(rpart))
arguments <- commandArgs(trailingOnly = TRUE)
kind <- arguments[4]
set.seed(0)
rows <- read.csv(arguments[1])
names(rows)[ncol(rows)] <- "y"
if (kind == "class") rows$y <- factor(rows$y)
control <- rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxdepth = 30, xval = 10, maxcompete = 0, maxsurrogate = 0)
model <- rpart(y ~ ., rows, method = kind, control = control)
path <- as.data.frame(model$cptable)
best <- which.min(path$xerror)
chosen <- which(path$xerror <= path$xerror[best] + path$xstd[best])[1]
model <- prune(model, cp = path$CP[chosen])
answer <- predict(model, read.csv(arguments[2]), type = if (kind == "class") "class" else "vector")
writeLines(as.character(answer), arguments[3])
cat(sum(model$frame$var == "<leaf>"), "\n")
