import { rmSync } from "node:fs";
import { join } from "node:path";
import { asText, ifGiven, parseWith, readJsonFile, writeAtomically } from "@deputize/ground";
import { identifyProcess, isProcessAlive, type ProcessIdentity } from "../process/identify-process.ts";

function viewAddressFile(agentDirectory: string): string {
	return join(agentDirectory, "deputize", "view.json");
}

/** Notes where a page is open, without its token. Never throws: the page works without the note. */
export function writeViewAddress(agentDirectory: string, address: string): void {
	try {
		const note = JSON.stringify({ address, process: identifyProcess(process.pid) });
		writeAtomically(viewAddressFile(agentDirectory), `${note}\n`);
	} catch {
		// Nobody else will name the page.
	}
}

/** Removes the note, unless a page that was opened later has replaced it. */
export function closeViewAddress(agentDirectory: string, address: string): void {
	if (readNote(agentDirectory)?.address === address) rmSync(viewAddressFile(agentDirectory), { force: true });
}

/** Where a run can be looked at; undefined when no page is open. */
export function readRunAddress(agentDirectory: string, runId: string): string | undefined {
	const note = readNote(agentDirectory);
	return note && isProcessAlive(note.process) ? `${note.address}#/run/${runId}` : undefined;
}

interface Note {
	readonly address: string;
	readonly process: ProcessIdentity;
}

function readNote(agentDirectory: string): Note | undefined {
	return parseWith<Note>(readJsonFile(viewAddressFile(agentDirectory)), {
		address: (value) => /^http:\/\/127\.0\.0\.1:\d{1,5}\/view-[0-9a-f]+\/$/.test(asText(value)),
		process: isProcess,
	});
}

function isProcess(value: unknown): boolean {
	const checks = { pid: Number.isSafeInteger, startTime: ifGiven(Number.isFinite) };
	return parseWith<ProcessIdentity>(value, checks) !== undefined;
}
