import type { Environment } from '@burgee/protocol/project'
import { Group, List } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createEnvironment, removeEnvironment, setEnvironmentEnabled, sortEnvironments } from '../api/environments.ts'
import { useProject } from '../shell/project/use-project.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import { CloneEnvironmentDialog } from './clone-environment.tsx'
import { ENVIRONMENT_TEXTS } from './texts.ts'

const AFFECTED_QUERIES = ['environments', 'project-environments']

interface Props {
  readonly environment: Environment
  /** Names of all environments in display order. */
  readonly names: readonly string[]
  readonly edit: (name: string) => void
}

/** Actions on an environment. */
export function EnvironmentActions({ environment, names, edit }: Props) {
  const t = useTexts()
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const navigate = useNavigate()
  const [isCloning, setCloning] = useState(false)
  const { name } = environment
  const project = useProject()
  const compare: RowAction = {
    label: own.compareLabel(name),
    text: own.compare,
    act: () => void navigate({ to: '/projects/$project/compare', params: { project }, search: { from: name } }),
  }
  const clone: RowAction = { label: own.cloneLabel(name), text: own.clone, act: () => setCloning(true) }
  const connect: RowAction = {
    label: own.connectLabel(name),
    text: own.connect,
    act: () => void navigate({ to: '/connect', search: { env: name } }),
  }
  const acts = [
    clone,
    compare,
    connect,
    ...useMoveActions(name, names),
    useToggleAction(environment),
    useRemoveAction(environment),
  ]
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => edit(name)} />
      <RowMenu label={own.more(name)} acts={acts} />
      {isCloning && <CloneEnvironmentDialog environment={environment} close={() => setCloning(false)} />}
    </Group>
  )
}

function useMoveActions(name: string, names: readonly string[]): RowAction[] {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAction()
  const at = names.indexOf(name)
  const move = (to: number) => {
    const next = names.filter((one) => one !== name).toSpliced(to, 0, name)
    return act({
      what: own.moved(name),
      run: () => sortEnvironments(next),
      done: own.moved(name),
      undo: { run: () => sortEnvironments(names), done: own.movedBack(name) },
      changes: AFFECTED_QUERIES,
    })
  }
  return [
    ...(at === 0 ? [] : [{ label: own.up(name), text: own.moveUp, act: () => move(at - 1) }]),
    ...(at === names.length - 1 ? [] : [{ label: own.down(name), text: own.moveDown, act: () => move(at + 1) }]),
  ]
}

function useToggleAction({ name, enabled, enabledToggleCount }: Environment): RowAction {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAction()
  const turn = () =>
    act({
      what: enabled ? own.turnOffLabel(name) : own.turnOnLabel(name),
      ...(enabled
        ? { ask: { title: own.turnOffTitle(name), text: own.turnOffText(enabledToggleCount), action: own.turnOff } }
        : {}),
      run: () => setEnvironmentEnabled(name, !enabled),
      done: enabled ? own.turnedOff(name) : own.turnedOn(name),
      undo: {
        run: () => setEnvironmentEnabled(name, enabled),
        done: enabled ? own.turnedOn(name) : own.turnedOff(name),
      },
      changes: AFFECTED_QUERIES,
    })
  return enabled
    ? { label: own.turnOffLabel(name), text: own.turnOff, act: turn }
    : { label: own.turnOnLabel(name), text: own.turnOn, act: turn }
}

/** Returns the action that deletes an environment. If the environment is in use, the user must type its name. */
function useRemoveAction(environment: Environment): RowAction {
  const t = useTexts()
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAction()
  const { name, type, sortOrder, enabled, projectCount, apiTokenCount, enabledToggleCount } = environment
  const isUsed = projectCount > 0 || apiTokenCount > 0
  const losses = own.removeLosses(projectCount, enabledToggleCount, apiTokenCount)
  const question = { title: own.removeTitle(name), action: t.common.delete, isDanger: true }
  const restore = { run: () => createEnvironment({ name, type, sortOrder, enabled }), done: own.restored(name) }
  const remove = () =>
    act({
      what: own.remove(name),
      ask: isUsed
        ? { ...question, text: <Losses items={losses} />, typed: name }
        : { ...question, text: own.removeText },
      run: () => removeEnvironment(name),
      done: own.removed(name),
      ...(isUsed ? {} : { undo: restore }),
      changes: isUsed ? [...AFFECTED_QUERIES, 'projects', 'tokens', 'project-tokens'] : AFFECTED_QUERIES,
    })
  return {
    label: own.remove(name),
    text: t.common.delete,
    isDanger: true,
    act: remove,
    obstacle: environment.protected ? own.removeProtected : undefined,
  }
}

/** Lists the data that is lost when an environment is deleted. */
function Losses({ items }: { readonly items: readonly string[] }) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  return (
    <>
      {own.removeUsed}
      <List>
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </>
  )
}
