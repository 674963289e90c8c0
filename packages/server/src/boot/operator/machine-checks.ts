import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describeDescriptorShortage } from '@burgee/kit/descriptors'
import { ListenError, requireFreePort } from '@burgee/kit/http/listening'
import { findDirectoryOwner } from '@burgee/storage/drivers/sqlite/directory-lock'
import { listExposedFiles } from '@burgee/storage/drivers/sqlite/private-files'
import type { ServerOptions } from '../../core/options/options.ts'
import { getDataPaths } from '../open-database.ts'
import { getListenAddress } from '../server.ts'
import type { Finding } from './check.ts'
import { findPortHolder } from './port-holder.ts'

const MEBIBYTE = 1024 * 1024
const MIN_FREE_BYTES = 64 * MEBIBYTE
const RECOMMENDED_FREE_BYTES = 1024 * MEBIBYTE

/** Checks whether the disk of the data directory has space for further writes, and for one copy of the database. */
export function checkDisk(dataDir: string): Finding {
  let place = resolve(dataDir)
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const { file } = getDataPaths(dataDir)
  const needed = existsSync(file) ? statSync(file).size : 0
  const found = `${Math.floor(free / MEBIBYTE)} MiB are free at ${place}; the size of the database is ${Math.ceil(needed / MEBIBYTE)}`
  if (free < MIN_FREE_BYTES) return { status: 'fail', detail: `${found}: free some space, or changes will be rejected` }
  if (free >= Math.max(RECOMMENDED_FREE_BYTES, needed)) return { status: 'ok', detail: found }
  return { status: 'warn', detail: `${found}: a backup next to it may not fit` }
}

/** Checks whether this user can write to the data directory and other users cannot open it. */
export async function checkPermissions(dataDir: string): Promise<Finding> {
  if (!existsSync(dataDir))
    return { status: 'ok', detail: `${resolve(dataDir)} does not exist yet; a start creates it` }
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  const open = await listExposedFiles(dataDir)
  if (open.length === 0)
    return { status: 'ok', detail: `${resolve(dataDir)} is writable, and not accessible to other users` }
  return { status: 'warn', detail: `other users of this machine can open ${open.join(', ')}: chmod o= them` }
}

/** Checks whether the port of the server is free or is in use by the server of this data directory. */
export async function checkPort(
  options: Pick<ServerOptions, 'port' | 'host' | 'listenBacklog' | 'dataDir'>,
): Promise<Finding> {
  const { port } = options
  if (port === 0) return { status: 'ok', detail: 'a start chooses a free port' }
  try {
    await requireFreePort(getListenAddress(options))
    return { status: 'ok', detail: `${port} is free` }
  } catch (error) {
    if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') throw error
    return describeOccupiedPort(port, await findDirectoryOwner(options.dataDir), error)
  }
}

function describeOccupiedPort(port: number, owner: number | undefined, error: ListenError): Finding {
  const holder = findPortHolder(port)
  if (holder === undefined) {
    if (owner === undefined) return { status: 'fail', detail: error.message }
    return {
      status: 'ok',
      detail: `${port} is in use, probably by the process ${owner}, which serves the data directory`,
    }
  }
  if (holder.pid === owner)
    return { status: 'ok', detail: `${port} is in use by the process ${owner}, which serves the data directory` }
  const who = `${port} is in use by the process ${holder.pid} (${holder.command})`
  const isOurs = /\bburgee\b/.test(holder.command)
  return { status: isOurs ? 'warn' : 'fail', detail: isOurs ? `${who}, another Burgee` : who }
}

/** Checks whether the limit on open files allows the process to open `maxStreams` streams. */
export function checkStreams({ maxStreams }: Pick<ServerOptions, 'maxStreams'>): Finding {
  const shortage = describeDescriptorShortage('MAX_STREAMS', maxStreams)
  if (shortage !== undefined) return { status: 'warn', detail: shortage }
  return { status: 'ok', detail: `this process may open enough files and connections for ${maxStreams} streams` }
}
