import { debuglog, getSystemErrorMap } from 'node:util'
import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { openError } from '../store/open.ts'
import { visible } from './print.ts'

const failed = 1
const wrongUsage = 2

/** How a command ends that has thrown an error. */
interface Failure {
  code: number
  /** One sentence; undefined if it has been printed. */
  message: string | undefined
}

/** Finds what a command says about an error. It is never a stack trace: `NODE_DEBUG=kontor` prints that as well. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : wrongUsage, message: undefined }
  if (error instanceof ConfigError) return { code: wrongUsage, message: visible(error.message) }
  debuglog('kontor')('%s', error instanceof Error ? error.stack : error)
  return { code: failed, message: visible(sentenceOf(error)) }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError && isOfSystem(error.cause)) return `${error.message}. ${systemSentence(error.cause)}`
  if (error instanceof ApiError || error instanceof OperatorError) return error.message
  if (!(error instanceof Error)) return unexpected(String(error))
  if (isOfSystem(error)) return systemSentence(error)
  const ofDatabase = openError('the database', error)
  return ofDatabase instanceof OperatorError ? ofDatabase.message : unexpected(error.message)
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** What the program was doing, by the system call that has failed. */
const actions: Readonly<Record<string, string>> = {
  mkdir: 'create the directory',
  scandir: 'read the directory',
  stat: 'find',
  lstat: 'find',
  unlink: 'remove',
  rm: 'remove',
  copyfile: 'copy',
  listen: 'listen on',
  connect: 'connect to',
  getaddrinfo: 'find the address of',
}

/** An error of the operating system: a file, a disk or the network, which the operator can do something about. */
function systemSentence(error: NodeJS.ErrnoException): string {
  const { syscall = '', errno, path, message } = error
  const { dest, address, hostname, port } = error as {
    dest?: string
    address?: string
    hostname?: string
    port?: number
  }
  const place = [address ?? hostname, port].filter((part) => part !== undefined).join(':')
  const what = [path, dest].filter((part) => part !== undefined).join(' to ') || place
  const [, reason] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? ['', message]
  return `Cannot ${[actions[syscall] ?? syscall, what].filter(Boolean).join(' ')}: ${reason}.`
}

function unexpected(message: string): string {
  const [line = ''] = message.split('\n')
  return `An unexpected error: ${line.replace(/\.$/, '')}. Please report it, with what NODE_DEBUG=kontor prints.`
}
