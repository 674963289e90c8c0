import type { NewReferences } from '@burgee/storage/queries/code-references/references'
import type { ScanRow } from '@burgee/storage/queries/code-references/scans'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { UPLOAD } from './code-repositories.ts'

/** Upload for a branch, and the branch's stored uploads. */
interface Upload {
  readonly rows: readonly Pick<NewReferences, 'project'>[]
  readonly sequence: number | undefined
  readonly scans: readonly ScanRow[]
  /** Stored references of the branch. */
  readonly before: readonly Pick<NewReferences, 'project'>[]
}

/**
 * Returns the projects whose references an upload replaces: the projects of its references, and those of earlier
 * uploads that the actor may update, because an earlier project may have lost its last reference. Uploads are ordered
 * separately for each project, so that a job of one project cannot block a job of another. Returns undefined if the
 * upload is outdated for every project in its references; if it has no references, the projects of earlier uploads
 * count instead.
 */
export function selectProjects(actor: Actor, upload: Upload): string[] | undefined {
  const named = [...new Set(upload.rows.map(({ project }) => project))]
  const stored = upload.scans
    .map(({ project }) => project)
    .filter((project) => hasPermission(actor, UPLOAD, { project }))
  const outdated = findOutdated(upload)
  const decisive = named.length > 0 ? named : stored
  if (decisive.length > 0 && decisive.every((project) => outdated.has(project))) return undefined
  return [...new Set([...named, ...stored])].filter((project) => !outdated.has(project))
}

/**
 * Returns the projects for which a later upload is stored. An upload that has the stored sequence id counts as outdated
 * if it has references. Without references, the stored id may come from a job of another project with the same build
 * number.
 */
function findOutdated({ scans, sequence, before }: Upload): Set<string> {
  if (sequence === undefined) return new Set()
  const referenced = new Set(before.map(({ project }) => project))
  const outdated = scans.filter(({ project, update_sequence_id: id }) => {
    if (id === null || Number(id) < sequence) return false
    return Number(id) > sequence || referenced.has(project)
  })
  return new Set(outdated.map(({ project }) => project))
}
