import { posix } from 'node:path'
import type { Source } from './sources.ts'

/** Upward imports that are allowed because they only name the file of a worker thread. */
export const pathExceptions: Record<string, string> = {
  'src/packaging/embedded.ts src/threads/worker.ts':
    'packaging knows where each part is; in development the worker is that file',
  'src/packaging/embedded.ts src/threads/read-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/snapshot-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/webhook-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/threads/checkpoint-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/long-requests/thread.ts':
    'packaging knows where each part is; in development the thread is that file',
  'src/packaging/embedded.ts src/mail/mail-thread.ts':
    'packaging knows where each part is; in development the thread is that file',
}

/** Includes type-only imports, re-exports, dynamic imports and the files of threads. */
export function importsOf({ text }: Source): string[] {
  const pattern =
    /(?:^(?:import|export)\b[^'"`;=]*?\bfrom\s+|^import\s+|\bimport\(\s*|\bnew URL\(\s*(?=['"][^'"]+\.ts['"]))['"]([^'"]+)['"]/gm
  return [...text.matchAll(pattern)].map((match) => match[1]!)
}

export function ownImportsOf(source: Source): string[] {
  const own = importsOf(source).filter((name) => name.startsWith('.'))
  return own.map((name) => posix.join(posix.dirname(source.path), name))
}

/** Each group of files that import one another, sorted by name: `src/a.ts <-> src/b.ts`. */
export function cyclesIn(files: readonly Source[]): string[] {
  const imports = new Map(files.map((file) => [file.path, loadedBy(file)]))
  const reached = new Map([...imports.keys()].map((path) => [path, reachableFrom(path, imports)]))
  const groups = [...imports.keys()].map((path) =>
    [...reached.get(path)!].filter((other) => reached.get(other)?.has(path)).sort(),
  )
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(' <-> ')))].sort()
}

/** The imports that load a file. The files of threads are excluded: only their paths are named. */
function loadedBy(file: Source): string[] {
  return ownImportsOf(file).filter((target) => !Object.hasOwn(pathExceptions, `${file.path} ${target}`))
}

function reachableFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const pending = [path]
  while (pending.length > 0) {
    for (const target of imports.get(pending.pop()!) ?? []) {
      if (!reached.has(target)) pending.push(target)
      reached.add(target)
    }
  }
  return reached
}

/** `src/store/open.ts` is in `src/store`; a file directly in `src` is a folder of its own. */
function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === 'src' ? path : folder
}

/** Pairs of folders that import each other, sorted: `src/a <-> src/b`. */
export function pairsIn(files: readonly Source[]): string[] {
  const steps = new Set(
    files.flatMap((file) => loadedBy(file).map((target) => `${folderOf(file.path)} ${folderOf(target)}`)),
  )
  const pairs = [...steps]
    .map((step) => step.split(' '))
    .filter(([from, to]) => from! < to! && steps.has(`${to} ${from}`))
  return pairs.map((pair) => pair.join(' <-> ')).sort()
}

/** `src/store/open.ts` is in `store`, `src/app.ts` is `app`. */
export function moduleOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '')
}
