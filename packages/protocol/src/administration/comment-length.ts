/** How long a comment may be, whatever it is on. Source: wire protocol, for those on change requests. */
export const MOST_COMMENT_CHARACTERS = 5000
