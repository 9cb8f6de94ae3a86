import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunDetail } from "../src/runs/transcript.ts";
import { BatchesView, BatchPage } from "./batches-view.tsx";
import { CompareView } from "./compare-view.tsx";
import { RunBody, RunHead, RunView } from "./run-view.tsx";
import { RunsView } from "./runs-view.tsx";
import { SpendingView } from "./spending-view.tsx";
import "./page.css";

const ROOMS = [
	["", "Runs"],
	["batches", "Batches"],
	["cost", "Cost"],
] as const;

function readPlace(): readonly string[] {
	return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
}

function Page() {
	const [[room = "", first = "", second = ""], setPlace] = useState(readPlace);
	const [isLive, setLive] = useState(true);
	useEffect(() => {
		// For as long as the page is open.
		addEventListener("live", (event) => setLive((event as CustomEvent).detail));
		addEventListener("hashchange", () => {
			setPlace(readPlace());
			scrollTo(0, 0);
			document.querySelector("main")?.focus();
		});
	}, []);
	return (
		<>
			<header class="top">
				<a class="brand" href="#/">
					deputize
				</a>
				<nav aria-label="Views">
					{ROOMS.map(([name, title]) => (
						<a key={name} href={`#/${name}`} aria-current={room === name ? "page" : undefined}>
							{title}
						</a>
					))}
				</nav>
				<span class="quiet keys">j k move · / search · Esc back</span>
			</header>
			<main tabIndex={-1}>
				<div class="problem" role="status">
					{!isLive && "Not connected. Is deputize view still running?"}
				</div>
				<View key={`${room}/${first}/${second}`} room={room} first={first} second={second} />
			</main>
		</>
	);
}

function View({
	room,
	first,
	second,
}: {
	readonly room: string;
	readonly first: string;
	readonly second: string;
}) {
	switch (room) {
		case "run":
			return <RunView runId={first} />;
		case "compare":
			return <CompareView runIds={[first, second]} />;
		case "batches":
			return <BatchesView />;
		case "batch":
			return <BatchPage id={first} />;
		case "cost":
			return <SpendingView />;
		default:
			return <RunsView parent={room === "by" ? first : ""} />;
	}
}

function handleKey(event: KeyboardEvent): void {
	const isTyping = (event.target as HTMLElement).matches("input[type=search], select");
	if (event.key === "Escape") {
		if (isTyping) (event.target as HTMLElement).blur();
		else if (location.hash.length > 2) history.back();
		return;
	}
	if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === "/") {
		event.preventDefault();
		document.querySelector<HTMLElement>("input[type=search]")?.focus();
	}
	if (event.key === "j" || event.key === "k") moveFocus(event.key === "j" ? 1 : -1);
}

function moveFocus(step: number): void {
	const places = [...document.querySelectorAll<HTMLElement>("a.row, .batches a, .transcript summary")];
	const now = places.indexOf(document.activeElement as HTMLElement);
	const next = places[Math.max(0, Math.min(places.length - 1, now + step))];
	next?.focus();
	next?.scrollIntoView({ block: "nearest" });
}

/** A file with one run in it shows that run, and asks nobody. */
function Exported({ run }: { readonly run: RunDetail }) {
	return (
		<main>
			<RunHead run={{ ...run, children: [], sameSession: [] }} />
			<RunBody run={run} />
		</main>
	);
}

addEventListener("keydown", handleKey);
const place = document.getElementById("page");
const exported = document.getElementById("run");
if (place) render(exported ? <Exported run={JSON.parse(exported.textContent ?? "")} /> : <Page />, place);
