/** Number of characters of a commit that identify it. */
const SHORT_COMMIT = 7

/** Formats a repository and a commit, such as `shop/flags@3f2a1c0`. */
export function formatSource({ repository, commit }: { readonly repository: string; readonly commit: string }): string {
  return `${repository}@${commit.slice(0, SHORT_COMMIT)}`
}
