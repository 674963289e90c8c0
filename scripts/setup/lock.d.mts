export function acquireLock(path: string, tell: (line: string) => void): () => void
