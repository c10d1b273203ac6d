// Progress of the games that are played, told by the server; at their end the page is asked anew.
function follow() {
  const job = document.querySelector(".job");
  if (!job) return;
  const source = new EventSource(job.dataset.events);
  source.onmessage = (event) => {
    const { done } = JSON.parse(event.data);
    job.querySelector("progress").value = done;
    job.querySelector("output").textContent = done.toLocaleString("en");
  };
  const finish = async () => {
    source.close();
    const text = await (await fetch("/statistics")).text();
    const page = new DOMParser().parseFromString(text, "text/html");
    document.getElementById("main").replaceWith(document.adoptNode(page.getElementById("main")));
    document.getElementById("live").textContent = "The games have been played.";
    follow();
  };
  source.addEventListener("end", finish);
}
follow();
