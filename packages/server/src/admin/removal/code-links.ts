import type { CodeReference, CodeRemoval, CodeStatus } from '@burgee/protocol/administration/removal'
import type { CodeStatus as StoredCodeStatus } from '@burgee/storage/queries/code-references/code-statuses'
import type { ExtinctionRow, ReferenceRow } from '@burgee/storage/queries/code-references/references'

/** Link templates by repository type, relative to the repository's address. */
const TEMPLATES: Readonly<Record<string, { readonly hunk: string; readonly commit: string }>> = {
  github: { hunk: `/blob/\${sha}/\${filePath}#L\${lineNumber}`, commit: `/commit/\${sha}` },
  gitlab: { hunk: `/-/blob/\${sha}/\${filePath}#L\${lineNumber}`, commit: `/-/commit/\${sha}` },
  bitbucket: { hunk: `/src/\${sha}/\${filePath}#lines-\${lineNumber}`, commit: `/commits/\${sha}` },
}

/** Converts a flag's stored references in a branch, with links to the lines. */
export function toReferences(row: ReferenceRow): CodeReference[] {
  const template = row.hunk_url_template || deriveTemplate(row, 'hunk')
  return row.places.map(({ path, line, lines }) => ({
    repository: row.repository,
    branch: row.branch,
    isDefaultBranch: row.branch === row.default_branch,
    revision: row.head,
    path,
    line,
    ...(lines === undefined ? {} : { lines }),
    ...(template === '' ? {} : { url: fill(template, { sha: row.head, filePath: path, lineNumber: String(line) }) }),
  }))
}

/** Converts a stored removal of a flag, with a link to the commit. */
export function toRemoval(row: ExtinctionRow): CodeRemoval {
  const template = row.commit_url_template || deriveTemplate(row, 'commit')
  return {
    repository: row.repository,
    branch: row.branch,
    revision: row.revision,
    message: row.message,
    time: new Date(Number(row.removed_at)).toISOString(),
    ...(template === '' ? {} : { url: fill(template, { sha: row.revision, branchName: row.branch }) }),
  }
}

/** Converts the stored code status of a flag, with a link to the commit that removed the flag. */
export function toCodeStatus({ references, removal }: StoredCodeStatus): CodeStatus {
  return { references, removal: removal === undefined ? null : toRemoval(removal) }
}

function deriveTemplate(
  { type, source_link }: Pick<ReferenceRow, 'type' | 'source_link'>,
  kind: 'hunk' | 'commit',
): string {
  const template = TEMPLATES[type.toLowerCase()]?.[kind]
  return template === undefined || source_link === '' ? '' : `${source_link.replace(/(\.git)?\/*$/, '')}${template}`
}

/** Fills the variables of a template. Path separators stay. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : value.split('/').map(encodeURIComponent).join('/')
  })
}
