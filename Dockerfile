# The second way to serve the page: docker build -t minigpt . && docker run -p 7860:7860 minigpt
FROM python:3.12-slim

RUN useradd --create-home --uid 1000 user
WORKDIR /app

# torch's own index has the CPU build; the plain one brings several GB of CUDA libraries.
COPY requirements.txt ./
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu -r requirements.txt

COPY . ./

# The code belongs to root: the page can read it and not change it.
USER user
ENV GRADIO_SERVER_NAME=0.0.0.0 GRADIO_SERVER_PORT=7860 PYTHONDONTWRITEBYTECODE=1
EXPOSE 7860
HEALTHCHECK CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/healthz', timeout=5)"
CMD ["python", "app.py"]
