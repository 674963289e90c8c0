import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Space } from '@mantine/core'
import { commentOnRequest } from '../api/change-requests.ts'
import { NewComment } from '../comments/comment-form.tsx'
import { CommentList } from '../comments/comment-list.tsx'
import { COMMENT_TEXTS } from '../comments/texts.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'

/** Comments on a change request with a form for a new comment. */
export function RequestComments({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(COMMENT_TEXTS)
  const { comments } = request
  return (
    <Section title={t.comments}>
      {comments.length > 0 && (
        <>
          <CommentList comments={comments} label={t.comments} />
          <Space h="md" />
        </>
      )}
      <NewComment send={(text) => commentOnRequest(request, text)} shownBy={['change-request']} />
    </Section>
  )
}
