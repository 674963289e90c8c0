const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/

/** Whether a text looks like an e-mail address; blanks around it are no part of it. */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim())
