import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import Type from 'typebox'
import { REMOVE } from '../../core/http/problem-lists.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { MAIL_TEMPLATES, type MailTemplate } from './mail-templates.ts'

const TYPES = { html: 'text/html', text: 'text/plain' } as const
/** Headers that keep a previewed mail from loading or running anything. */
const HEADERS = { html: htmlHeaders(), text: { 'content-type': 'text/plain; charset=utf-8' } } as const

/** Routes that preview mails. Source: wire protocol */
export const mailRoutes: Routes = (['html', 'text'] as const).map((format) =>
  route({
    method: 'GET',
    url: `/api/admin/email/preview/${format}/:template`,
    permission: 'ADMIN',
    tag: 'System',
    summary: `Returns a preview of a mail as ${format}, with a link that does not work: getting-started or reset-password.`,
    params: Type.Object({ template: Type.String() }),
    query: Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })) }),
    replies: { 200: { description: 'The mail', contentType: TYPES[format] } },
    problems: [...REMOVE, 'ValidationError'],
    handle: ({ params: { template }, query }, { options }) => {
      if (!isTemplate(template)) throw notFound(`There is no mail "${template}".`)
      const url = publicUrl(options)
      const mail = MAIL_TEMPLATES[template]({
        name: query.name ?? '',
        link: `${url}/reset-password?token=preview`,
        url,
      })
      return new Reply(200, mail[format], HEADERS[format])
    },
  }),
)

function isTemplate(name: string): name is MailTemplate {
  return Object.hasOwn(MAIL_TEMPLATES, name)
}
