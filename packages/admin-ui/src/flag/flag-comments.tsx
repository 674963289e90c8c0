import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { FeatureComment } from '@burgee/protocol/administration/comment'
import { Divider, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addComment, deleteComment, editComment, getCommentsQuery } from '../comments/comment-calls.ts'
import { EditedComment, NewComment } from '../comments/comment-form.tsx'
import { CommentList } from '../comments/comment-list.tsx'
import { COMMENT_TEXTS } from '../comments/texts.ts'
import { usePersonNames } from '../people/person-names.ts'
import { getMyId, useMe, usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import type { RowAction } from '../ui/page/row-menu.tsx'
import { Section } from '../ui/page/section.tsx'

/** Comments on a flag, newest first, with a form for a new comment. */
export function FlagComments({ flag }: { flag: AdminFeature }) {
  const t = useCatalogue(COMMENT_TEXTS)
  const ref = { project: flag.project, feature: flag.name }
  const query = getCommentsQuery(ref)
  const answer = useQuery(query)
  const [edited, setEdited] = useState<FeatureComment>()
  const actsOf = useCommentActions(flag, answer.data ?? [], setEdited)
  const mayWrite = usePermissionCheck()('UPDATE_FEATURE', { project: flag.project }) && !flag.archived
  return (
    <Section title={t.comments}>
      {flag.archived && <Text c="dimmed">{t.archived}</Text>}
      {mayWrite && <NewComment send={(text) => addComment(ref, text)} shownBy={query.queryKey} />}
      {(mayWrite || flag.archived) && <Divider my="md" />}
      <Loaded answer={answer}>
        {(comments) =>
          comments.length > 0 ? (
            <CommentList comments={comments.toReversed()} label={t.newest} actsOf={actsOf} />
          ) : (
            <Notice title={t.none}>{mayWrite ? t.noneText : t.noneToRead}</Notice>
          )
        }
      </Loaded>
      {edited !== undefined && (
        <EditedComment
          text={edited.text}
          send={(text) => editComment({ ...ref, id: edited.id }, text)}
          shownBy={query.queryKey}
          close={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

/**
 * Returns the actions on a comment. Users can edit and delete the comments that they wrote. Users who may change the
 * project can delete all comments.
 */
function useCommentActions(
  flag: AdminFeature,
  comments: readonly FeatureComment[],
  edit: (comment: FeatureComment) => void,
) {
  const t = useCatalogue(COMMENT_TEXTS)
  const { ago } = useFormat()
  const act = useAction()
  const may = usePermissionCheck()
  const me = getMyId(useMe())
  const nameOf = usePersonNames(comments.map(({ createdBy }) => createdBy))
  const { project, name: feature, archived } = flag
  const mayWrite = may('UPDATE_FEATURE', { project })
  const mayDeleteAny = may('UPDATE_PROJECT', { project })
  return (comment: FeatureComment): readonly RowAction[] => {
    const { id, createdBy, createdAt } = comment
    const name = nameOf(createdBy)
    const isMine = createdBy.id === me
    const isOwn = isMine && mayWrite
    const remove = () =>
      act({
        what: t.remove,
        ask: {
          title: t.removeTitle,
          text: isMine ? t.removeOwnText : t.removeText(name),
          action: t.remove,
          isDanger: true,
        },
        run: () => deleteComment({ project, feature, id }),
        done: t.removed,
        changes: ['comments'],
      })
    if (archived) return []
    const editing = { label: t.editOf(name, ago(createdAt)), text: t.edit, act: () => edit(comment) }
    const removing = { label: t.removeOf(name, ago(createdAt)), text: t.remove, isDanger: true, act: remove }
    return [...(isOwn ? [editing] : []), ...(isOwn || mayDeleteAny ? [removing] : [])]
  }
}
