import type { Inbox, InboxAction, InboxDelivery, InboxRequest, InboxToken } from '@burgee/protocol/administration/inbox'
import { CalendarX, CheckCheck, CircleCheckBig, GitPullRequest, KeyRound, Webhook } from 'lucide-react'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { useInbox } from '../inbox/use-inbox.ts'
import { AuthorName } from '../people/person.tsx'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './home.module.css'
import { HomeRow } from './home-row.tsx'
import { UnusedFlagRow } from './unused-flag-row.tsx'

/** Tasks that await the user in all projects, each with its action. */
export function InboxSection() {
  const t = useCatalogue(INBOX_TEXTS)
  return (
    <Section title={t.waiting}>
      <Loaded answer={useInbox()}>
        {(inbox) => (inbox.total === 0 ? <NothingNotice /> : <InboxTasks inbox={inbox} />)}
      </Loaded>
    </Section>
  )
}

function NothingNotice() {
  const t = useCatalogue(INBOX_TEXTS)
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <CheckCheck size={17} aria-hidden="true" />
      </span>
      <div>
        <strong>{t.nothing}</strong>
        <div>{t.nothingText}</div>
      </div>
    </div>
  )
}

function InboxTasks({ inbox: { requests, deliveries, tokens, unusedFlags } }: { inbox: Inbox }) {
  const t = useCatalogue(INBOX_TEXTS)
  return (
    <ul className={styles.list} aria-label={t.waiting}>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.integrationId} delivery={delivery} />
      ))}
      {tokens.map((token) => (
        <TokenRow key={`${token.personal} ${token.id}`} token={token} />
      ))}
      {unusedFlags.map((flag) => (
        <UnusedFlagRow key={flag.feature} flag={flag} />
      ))}
    </ul>
  )
}

const REQUEST_ICONS = { 'failed-schedule': CalendarX, review: GitPullRequest, apply: CircleCheckBig } as const
const TONES: Readonly<Record<InboxAction, 'good' | 'bad'>> = { 'failed-schedule': 'bad', review: 'good', apply: 'good' }

function RequestRow({ request }: { request: InboxRequest }) {
  const t = useCatalogue(INBOX_TEXTS)
  const { id, title, project, environment, action, createdBy, since, requested, reason } = request
  const Icon = REQUEST_ICONS[action]
  return (
    <HomeRow
      icon={<Icon size={17} aria-hidden="true" />}
      tone={TONES[action]}
      name={title}
      about={
        <>
          <span>{requested && action === 'review' ? t.requested : (reason ?? t.requestActions[action])}</span>
          <EnvironmentChip name={environment} />
          <ProjectName id={project} />
          <AuthorName author={createdBy} />
          <RelativeTime at={since} />
        </>
      }
      action={
        <LinkButton
          to="/projects/$project/change-requests/$request"
          params={{ project, request: String(id) }}
          variant={action === 'failed-schedule' ? 'default' : 'filled'}
          aria-label={t.actionOf(t.requestButtons[action], title)}
        >
          {t.requestButtons[action]}
        </LinkButton>
      }
    />
  )
}

function DeliveryRow({ delivery }: { delivery: InboxDelivery }) {
  const t = useCatalogue(INBOX_TEXTS)
  const { integrationId, provider, description, failedAt } = delivery
  const name = description === '' ? provider : description
  return (
    <HomeRow
      icon={<Webhook size={17} aria-hidden="true" />}
      tone="bad"
      name={name}
      about={
        <>
          <span>{t.deliveryFailed}</span>
          <RelativeTime at={failedAt} />
        </>
      }
      action={
        <LinkButton
          to="/integrations"
          search={{ log: String(integrationId) }}
          aria-label={t.actionOf(t.showDeliveries, name)}
        >
          {t.showDeliveries}
        </LinkButton>
      }
    />
  )
}

function TokenRow({ token: { name, personal, expiresAt } }: { token: InboxToken }) {
  const t = useCatalogue(INBOX_TEXTS)
  const { date } = useFormat()
  return (
    <HomeRow
      icon={<KeyRound size={17} aria-hidden="true" />}
      tone="warn"
      name={name}
      about={personal ? t.ownTokenExpires(date(expiresAt)) : t.tokenExpires(date(expiresAt))}
      action={
        <LinkButton to={personal ? '/profile' : '/tokens'} aria-label={t.actionOf(t.openToken, name)}>
          {t.openToken}
        </LinkButton>
      }
    />
  )
}
