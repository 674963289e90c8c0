import type { LoginEvent } from '@burgee/protocol/access'
import { Badge, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchLogins } from '../api/access/logins.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { LOGIN_HISTORY_TEXTS } from './texts.ts'

const MAX_SHOWN = 200

/** Page of logins and failed attempts. */
export function LoginsPage() {
  const t = useCatalogue(LOGIN_HISTORY_TEXTS)
  const answer = useQuery({ queryKey: ['logins'], queryFn: fetchLogins })
  const [text, setText] = useState('')
  const [isRefusedOnly, setRefusedOnly] = useState(false)
  const { title, intro } = t
  return (
    <ListPage
      title={title}
      intro={intro}
      answer={answer}
      empty={{ title: t.empty, text: t.emptyText }}
      filters={
        <Group mb="md" align="flex-end">
          <TextInput
            aria-label={t.search}
            placeholder={t.search}
            value={text}
            w={300}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <NativeSelect
            aria-label={t.which}
            data={[t.all, t.failed]}
            value={isRefusedOnly ? t.failed : t.all}
            onChange={(event) => setRefusedOnly(event.currentTarget.value === t.failed)}
          />
        </Group>
      }
    >
      {(all) => <LoginResults all={all.filter((one) => matchesFilter(one, text, isRefusedOnly))} />}
    </ListPage>
  )
}

function matchesFilter({ username, ip, successful }: LoginEvent, text: string, isRefusedOnly: boolean): boolean {
  const wanted = text.trim().toLowerCase()
  return (!isRefusedOnly || !successful) && `${username} ${ip ?? ''}`.toLowerCase().includes(wanted)
}

function LoginResults({ all }: { all: readonly LoginEvent[] }) {
  const t = useCatalogue(LOGIN_HISTORY_TEXTS)
  const { number } = useFormat()
  if (all.length === 0) return <Notice title={t.noMatch}>{t.noMatchText}</Notice>
  return (
    <>
      <Table label={t.title} columns={[t.who, t.when, t.how, t.from, t.result]}>
        {all.slice(0, MAX_SHOWN).map((one) => (
          <LoginRow key={one.id} login={one} />
        ))}
      </Table>
      {all.length > MAX_SHOWN && (
        <Text c="dimmed" mt="md">
          {t.more(number(MAX_SHOWN), number(all.length))}
        </Text>
      )}
    </>
  )
}

function LoginRow({ login }: { login: LoginEvent }) {
  const t = useCatalogue(LOGIN_HISTORY_TEXTS)
  const { time } = useFormat()
  const { username, created_at, auth_type, ip, successful, failure_reason } = login
  return (
    <tr>
      <th scope="row">{username || <Text c="dimmed">{t.nobody}</Text>}</th>
      <td className={ui.short}>{time(created_at)}</td>
      <td>{t.ways[auth_type] ?? auth_type}</td>
      <td>
        <span className={ui.mono}>{ip ?? '–'}</span>
      </td>
      <td>
        <Badge variant="light" color={successful ? 'teal' : 'red'} tt="none">
          {successful ? t.good : t.refused}
        </Badge>
        {failure_reason !== null && (
          <Text size="sm" c="dimmed" lang="en">
            {failure_reason}
          </Text>
        )}
      </td>
    </tr>
  )
}
