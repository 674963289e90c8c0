const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)*$/

/** Returns true if a text looks like an e-mail address, ignoring surrounding spaces. */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim())
