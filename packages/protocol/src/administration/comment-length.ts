/** Maximum length of any comment, in characters. Source: wire protocol, for comments on change requests. */
export const MOST_COMMENT_CHARACTERS = 5000
