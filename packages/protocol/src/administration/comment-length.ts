/** Maximum length of any comment, in characters. Source: wire protocol, for comments on change requests. */
export const MAX_COMMENT_LENGTH = 5000
