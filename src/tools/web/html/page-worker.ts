import { serveWorkerJobs } from "../serve-worker-jobs.ts";
import { convertPage } from "./convert-page.ts";

serveWorkerJobs((job: { readonly html: string; readonly url: string }) => convertPage(job.html, job.url));
