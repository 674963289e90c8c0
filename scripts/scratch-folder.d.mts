export function makeScratchFolder(memory: string, remove?: (folder: string) => void): string | undefined
