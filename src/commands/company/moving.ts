import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { findCompany } from '../../access/company.ts'
import { listKeys } from '../../access/key.ts'
import { readCell } from '../../access/setting.ts'
import { ConfigError } from '../../config.ts'
import { backUpContent } from '../../content/back-up-content.ts'
import type { Contents } from '../../content/contents.ts'
import { type Copying, copyContent, listReferred } from '../../content/copy-content.ts'
import { contentsBeside, directoryBeside, requireApart } from '../../content/open.ts'
import { OperatorError } from '../../errors.ts'
import { parseServerUrl } from '../../lib/web-url.ts'
import { lookupMove, storeMove } from '../../store/company-move.ts'
import { databasePath } from '../../store/directory.ts'
import { requireNone } from '../../store/give-name.ts'
import { isPartial, type Move, requireWhole } from '../../store/move-state.ts'
import type { Writer } from '../../store/reader.ts'
import { afterFailure } from '../after-failure.ts'
import { administerFiles, contentsOf, type FilesOptions } from '../contents.ts'
import type { Written } from '../export/files.ts'
import { withStore } from '../open-store.ts'
import { print } from '../print.ts'
import { administer, type CommonOptions, dataOf } from '../program.ts'
import { openCompanyFile } from './company-file.ts'
import { exportCompany, noteDone, requireDelivered, requireLeaving, serveAgain, stopServing } from './export-company.ts'
import { importCompany } from './import-company.ts'
import { removeCompany } from './remove-company.ts'

type MoveOptions = CommonOptions & { to?: string; cancel?: boolean }

/** For commands that write and remove rows in an order that breaks no reference. */
const unchecked = { create: false, references: false }

/** The commands that move a company to another cell, in the order in which they are used (decision A14). */
export function moving(): Command[] {
  return [
    administerFiles(
      'export',
      'write everything of a company to a file for another cell; from then on, it is not served',
    )
      .argument('<id>', "the company's id")
      .argument('<file>', 'the file; it contains secrets')
      .option('--without-files', 'leave out content of files that is missing or damaged')
      .action(leave),
    administerFiles('import', 'serve a company that another cell has exported')
      .argument('<file>', 'the file that "kontor company export" has written')
      .option('--without-files', 'import also if content of files is missing beside the file')
      .action(arrive),
    administer('move', 'say where an exported company is served now, or serve it again')
      .argument('<id>', "the company's id")
      .option('--to <cell>', 'name of the cell, or its address: responses to its keys and sign-ins show it, with 421')
      .option('--cancel', 'serve the company here again, if no other cell has it')
      .action(move),
    administerFiles('delete', 'remove a company that has moved, or whose import has not ended')
      .argument('<id>', "the company's id")
      .action(remove),
  ]
}

async function leave(id: string, file: string, options: FilesOptions): Promise<void> {
  const data = dataOf(options)
  const contents = contentsOf(options)
  requireNone(file)
  requireApart(dirname(file), data)
  const by = randomUUID()
  const since = await withStore(data, (store) => stopServing(store, id, by)) // confirmed by the log, if there is one, before anything is copied
  let written: Written
  const source = databasePath(data)
  try {
    await withStore(data, (store) => requireDelivered(store, id, join(data, 'mail')))
    const bringContent = async (copy: string) => {
      await backUpContent(source, copy, { from: contents, withoutFiles: options.withoutFiles })
      await withStore(data, (store) => requireLeaving(store, id, since))
    }
    const exporting = { source, companyId: id, bringContent }
    written = await exportCompany((run) => withStore(data, run), file, exporting)
  } catch (error) {
    const notDone = 'The company is not served: "kontor company move --cancel" serves it again'
    return afterFailure(error, notDone, () => withStore(data, (store) => serveAgain(store, id, by)))
  }
  await withStore(data, (store) => noteDone(store, id))
  print(
    options.json,
    { company_id: id, ...written },
    `Wrote ${file} (${written.bytes} bytes). The company is not served any more.`,
  )
}

async function arrive(path: string, options: FilesOptions): Promise<void> {
  const to = contentsOf(options)
  const file = await openCompanyFile(path)
  try {
    const result = await withStore(
      dataOf(options),
      async (store) => {
        const { withoutFiles } = options
        const company = await importCompany(store, file, randomUUID(), {
          bring: (workspaceOf) => bringContent(path, { to, workspaceOf, withoutFiles }),
          remove: (ids) => removeContent(to, ids),
        })
        const prefixes = listKeys(store.access, company.id).map(({ prefix }) => prefix)
        return { company, cell: readCell(store.access), key_prefixes: prefixes }
      },
      unchecked,
    )
    const { company, cell, key_prefixes } = result
    const lines = [
      `${company.name} (${company.plan}) is served here: ${company.id}`,
      ...key_prefixes.map((each) => `${each} ${cell}`),
    ]
    print(options.json, result, lines.map((line) => line.trimEnd()).join('\n'))
  } finally {
    file.close()
  }
}

async function move(id: string, { to, cancel = false, ...options }: MoveOptions): Promise<void> {
  if ((to === undefined) !== cancel) throw new ConfigError('Give either --to or --cancel')
  if (to !== undefined && !/^[A-Za-z0-9]{2}$/.test(to) && !(/^[\x21-\x7e]+$/.test(to) && parseServerUrl(to))) {
    throw new ConfigError(`--to must be the name of a cell or an address such as https://bb.example.com; it is "${to}"`)
  }
  const company = await withStore(dataOf(options), (store) =>
    store.writeAccess((tx) => {
      requireGone(tx, id, to)
      storeMove(tx, id, to === undefined ? undefined : { state: 'moved', to })
      return findCompany(tx, id)
    }),
  )
  const now = to === undefined ? 'is served here again' : `has moved to ${to}`
  print(options.json, { company, moved_to: to ?? null }, `${company.name} ${now}.`)
}

async function remove(id: string, options: CommonOptions): Promise<void> {
  const contents = contentsOf(options)
  await withStore(
    dataOf(options),
    async (store) => {
      findCompany(store.access, id)
      const isRemovable = (found: Move | undefined) => found?.state === 'moved' || isPartial(found)
      if (!(await removeCompany(store, id, isRemovable, (ids) => removeContent(contents, ids)))) {
        throw new OperatorError('This company has not moved: "kontor company move" says where it is.')
      }
    },
    unchecked,
  )
  print(options.json, { company_id: id }, 'The company was removed.')
}

async function bringContent(file: string, copying: Omit<Copying, 'from'>): Promise<void> {
  await copyContent(listReferred(file), { from: contentsBeside(file), folder: directoryBeside(file), ...copying })
}

async function removeContent(contents: Contents, workspaceIds: readonly number[]): Promise<void> {
  for await (const found of contents.list()) {
    if (workspaceIds.includes(found.workspaceId)) await contents.remove(found)
  }
}

/** Throws NOT_FOUND, OperatorError unless the company is here and was exported, or is to be served again. */
function requireGone(tx: Writer, id: string, to: string | undefined): void {
  findCompany(tx, id)
  const move = lookupMove(tx, id)
  requireWhole(move)
  if (move?.state === 'moved' || (move?.state === 'leaving' && (move.done || to === undefined))) return
  if (move) throw new OperatorError('The export of this company has not ended: wait for it, or repeat it.')
  throw new OperatorError('This company was not exported: "kontor company export" comes first.')
}
